"""An app for a desktop robot."""
