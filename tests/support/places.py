"""Where things lie in a checkout."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CONFORMANCE = ROOT / "tests" / "data" / "conformance"
