"""From a name to an agent: the kinds of names, how a name is read, and how its agent is loaded."""
