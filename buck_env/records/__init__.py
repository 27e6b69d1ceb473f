"""Hand records, and what one seat may know of them: read, write, replay, verify.

A record is one JSON object a line. To count the records of a file, each of which the engine confirms:

>>> from buck_env.records import read_records, verify
>>> verify(read_records("hands.jsonl"))
1841
"""

from buck_env.records.deals import deal_table, pack_of
from buck_env.records.hands import replay, result_of, verify_hand
from buck_env.records.logs import deal_record
from buck_env.records.matches import confirmed, verify
from buck_env.records.recall import view_from_table
from buck_env.records.schema import (
    HandRecord,
    MatchPlace,
    Result,
    Step,
    parse_record,
    read_records,
    rules_of,
    write_records,
)
from buck_env.records.seat_view import table_from_view, view_of
from buck_env.records.texts import legal_texts, phase_text

__all__ = [
    "HandRecord",
    "MatchPlace",
    "Result",
    "Step",
    "confirmed",
    "deal_record",
    "deal_table",
    "legal_texts",
    "pack_of",
    "parse_record",
    "phase_text",
    "read_records",
    "replay",
    "result_of",
    "rules_of",
    "table_from_view",
    "verify",
    "verify_hand",
    "view_from_table",
    "view_of",
    "write_records",
]
