"""The connection to the daemon, which bridges short outages."""
