"""The version, in one place: the package, its metadata and the command line read it here."""

__all__ = ["__version__"]

__version__ = "0.1.0"
