"""The tests run the package beside them with the program that SURETY names."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))


@pytest.fixture
def examples():
    return ROOT / "examples"


@pytest.fixture
def gas(examples):
    import surety
    return surety.read(examples / "gas_station/gas_station.lts")


@pytest.fixture
def broken(examples):
    import surety
    return surety.read(examples / "gas_station/gas_station_broken.lts")


@pytest.fixture
def channel(examples):
    import surety
    return surety.read(examples / "channel/channel.lts")
