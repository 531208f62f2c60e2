"""What every use case stands on: the installation, its secret key, its audit log and its outbox."""
