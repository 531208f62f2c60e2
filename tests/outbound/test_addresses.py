from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from types import SimpleNamespace

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docduck.outbound.addresses import is_allowed, is_metadata, is_public

PRIVATE_V4 = str.split("""
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254
169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1
192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1
239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16
""")
PRIVATE_V6 = str.split("""
:: ::1 ::2 ::7f00:1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:10.0.0.1 64:ff9b::10.0.0.1 64:ff9b::7f00:1
64:ff9b:1::1 64:ff9b:1:ffff::8.8.8.8 100::1 2001::1 2001:0:7f00:1:: 2001:2::1 2001:10::1 2001:20::1
2001:db8::1 2002:7f00:1::1 2002:0808:0808::1 3fff::1 fc00::1 fd00::1 fd00:ec2::254 fd20:ce::254 fe80::1
fe80::1%eth0 fec0::1 ff02::1 ff0e::1 4000::1 5f00::1 8000::1 2a00:1450::5efe:192.168.0.1
2a00:1450::200:5efe:10.0.0.1 2a00:1450::200:5efe:8.8.8.8
""")
PUBLIC = str.split("""
1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 169.253.255.255
169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
223.255.255.255 2606:4700:4700::1111 2a00:1450:4001:82a::200e 2001:4860:4860::8888 2620:fe::fe
64:ff9b::8.8.8.8
""")

v4 = st.ip_addresses(v=4)
private_networks = st.sampled_from(
    [ip_network(text) for text in ("10.0.0.0/8", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",
                                   "169.254.0.0/16", "100.64.0.0/10", "0.0.0.0/8", "224.0.0.0/3")]
)  # fmt: skip
private_v4 = private_networks.flatmap(lambda network: st.ip_addresses(network=network))


@pytest.mark.parametrize("text", PRIVATE_V4 + PRIVATE_V6)
def test_what_is_not_public(text: str) -> None:
    address = ip_address(text)
    assert not is_public(address)
    assert not is_allowed(address, ())


@pytest.mark.parametrize("text", PUBLIC)
def test_what_is_public(text: str) -> None:
    assert is_public(ip_address(text))
    assert is_allowed(ip_address(text), ())


def embeddings(inner: IPv4Address, filler: int) -> list[IPv6Address]:
    number = int(inner)
    low, high = filler & 0xFFFF, filler & 0xFFFF_FFFF_FFFF_FFFF
    return [
        IPv6Address(number),
        IPv6Address(0xFFFF << 32 | number),
        IPv6Address(0xFFFF << 48 | number),
        IPv6Address(0x0064FF9B << 96 | number),
        IPv6Address(0x0064FF9B_0001 << 80 | low << 64 | number),
        IPv6Address(0x0064FF9B_0001 << 80 | number << 40 | low),
        IPv6Address(0x2002 << 112 | number << 80 | high),
        IPv6Address(0x20010000 << 96 | number << 64 | high),
        IPv6Address(0x20010000 << 96 | high << 32 | (number ^ 0xFFFF_FFFF)),
        IPv6Address(0x2A001450 << 96 | low << 64 | 0x00005EFE << 32 | number),
        IPv6Address(0x2A001450 << 96 | low << 64 | 0x02005EFE << 32 | number),
        IPv6Address(0xFE80 << 112 | 0x00005EFE << 32 | number),
    ]


@given(private_v4, st.integers(min_value=0))
def test_a_private_address_is_refused_in_every_embedding(inner: IPv4Address, filler: int) -> None:
    assert not is_public(inner)
    assert [str(outer) for outer in embeddings(inner, filler) if is_public(outer)] == []


@given(v4)
def test_what_is_public_is_global_by_the_standard_library_too(address: IPv4Address) -> None:
    if is_public(address):
        assert address.is_global
        assert not address.is_multicast
        assert not address.is_reserved


@given(st.ip_addresses(v=6))
def test_what_is_public_of_ipv6_is_global_unicast(address: IPv6Address) -> None:
    if is_public(address) and address not in ip_network("64:ff9b::/96"):
        assert address in ip_network("2000::/3")
        assert address.is_global
        assert address.sixtofour is None
        assert address.teredo is None


def test_a_network_that_is_allowed_is_and_no_other() -> None:
    networks = (ip_network("10.1.0.0/16"), ip_network("fd12::/16"))
    for text, allowed in {
        "10.1.2.3": True,
        "10.2.0.1": False,
        "127.0.0.1": False,
        "fd12::1": True,
        "fd13::1": False,
        "::ffff:10.1.2.3": False,
        "8.8.8.8": True,
    }.items():
        assert is_allowed(ip_address(text), networks) == allowed, text


@pytest.mark.parametrize(
    "text",
    ["169.254.169.254", "168.63.129.16", "100.100.100.200", "fd00:ec2::254", "::ffff:169.254.169.254",
     "::169.254.169.254", "64:ff9b::169.254.169.254", "2002:a9fe:a9fe::1", "2a00::5efe:169.254.169.254"],
)  # fmt: skip
def test_a_metadata_service_is_refused_whatever_is_allowed(text: str) -> None:
    everything = (ip_network("0.0.0.0/0"), ip_network("::/0"))
    assert is_metadata(ip_address(text))
    assert not is_allowed(ip_address(text), everything)


def test_a_public_address_of_this_very_host_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    own = SimpleNamespace(address="93.184.215.14")
    scoped = SimpleNamespace(address="2a00:1450::5%eth0")
    card = SimpleNamespace(address="00:11:22:33:44:55")
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: {"eth0": [card, own, scoped]})
    assert not is_allowed(ip_address("93.184.215.14"), ())
    assert not is_allowed(ip_address("2a00:1450::5"), ())
    assert is_allowed(ip_address("93.184.215.15"), ())
    assert is_allowed(ip_address("93.184.215.14"), (ip_network("93.184.215.0/24"),))
