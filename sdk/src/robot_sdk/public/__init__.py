"""What lets apps of the public SDK for this robot hear and speak on it, without that SDK's media server."""
