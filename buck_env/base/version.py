"""What artefacts are stamped with; one made under another version is refused by name."""

__all__ = ["ACTIONS_VERSION", "ENVIRONMENT", "OBSERVATION_VERSION", "RULES_VERSION", "__version__"]

__version__ = "0.2.0"
ENVIRONMENT = "buck_euchre_v0"
RULES_VERSION = 0
OBSERVATION_VERSION = 0
ACTIONS_VERSION = 0
