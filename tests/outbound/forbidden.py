"""URLs that docduck must not open. ``{port}`` is where the canary listens."""

from __future__ import annotations

PLACES = [
    # Loopback, and all ways to write it.
    "127.0.0.1", "127.0.0.2", "127.1.2.3", "127.255.255.254", "127.1", "127.0.1", "127.000.000.001",
    "0177.0.0.1", "0177.1", "00177.0.0.1", "017700000001", "0x7f.0.0.1", "0x7f.1", "0x7f000001", "0X7F000001",
    "0x7f.0x0.0x0.0x1", "0x7f.0.0x1", "2130706433", "02130706433", "127.0.0.1.", "127.0.0.1..", "127.1.",
    "0x7f.1.", "0", "0.0.0.0", "0.0.0.0.", "0x0", "00", "000.0.0.0", "0.1.2.3", "4294967295", "4294967297",
    "127.0.0.257", "127.0.0.0x1", "1.127.0.0.1", "127..0.1", ".127.0.0.1", "127.0.0.1,", "127.0.0.1;x",
    "127。0。0。1", "127.0.0。1", "①②⑦.⓪.⓪.①", "１２７.０.０.１", "𝟏𝟐𝟕.𝟎.𝟎.𝟏", "127．0．0．1", "１27.0.0.1",
    "%31%32%37.0.0.1", "127%2e0%2e0%2e1", "127.0.0.1%00", "127.0.0.1%2f", "127.0.0.1%23", "0x7f%2e1",
    "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[::0.0.0.1]", "[::127.0.0.1]", "[::7f00:1]",
    "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::FFFF:127.0.0.1]", "[0:0:0:0:0:ffff:127.0.0.1]",
    "[::ffff:0:127.0.0.1]", "[::ffff:0.0.0.0]", "[::1%25lo]", "[::1%lo]", "[::1%250]", "::1", "0::1", "[::1",
    "::1]", "[[::1]]", "[v1.::1]", "[127.0.0.1]", "[localhost]", "[]", "[::1]x", "x[::1]", "[::1.]",
    # Embedded in other addresses.
    "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::127.0.0.1]",
    "[64:ff9b:1::8.8.8.8]", "[2002:7f00:1::]", "[2002:7f00:1::1]", "[2002:a9fe:a9fe::1]",
    "[2002:c0a8:101::1]", "[2001::7f00:1]", "[2001:0:a9fe:a9fe::1]", "[2001:0:1:2:3:4:80ff:fffe]",
    "[fe80::5efe:127.0.0.1]", "[2a00:1450::5efe:7f00:1]", "[2a00:1450::200:5efe:10.0.0.1]",
    # Private networks, and all that is not public.
    "10.0.0.1", "10.255.255.255", "012.0.0.1", "0xa.0.0.1", "167772161", "10.1", "172.16.0.1",
    "172.31.255.255", "192.168.0.1", "192.168.1", "3232235521", "0xc0a80001", "0300.0250.0.1", "100.64.0.1",
    "100.127.255.254", "169.254.0.1", "192.0.0.1", "192.0.0.170", "192.0.2.1", "192.88.99.1", "198.18.0.1",
    "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1",
    "255.255.255.255", "[fc00::1]", "[fd12:3456::1]", "[fe80::1]", "[fe80::1%25eth0]", "[fe80::1%eth0]",
    "[fec0::1]", "[ff02::1]", "[ff05::2]", "[100::1]", "[2001:db8::1]", "[3fff::1]", "[5f00::1]",
    "[::ffff:10.0.0.1]", "[::ffff:192.168.0.1]", "[::10.0.0.1]",
    # Metadata services.
    "169.254.169.254", "169.254.170.2", "169.254.170.23", "169.254.0.23", "2852039166", "0xa9fea9fe",
    "0xA9.0xFE.0xA9.0xFE", "0251.0376.0251.0376", "169.254.43518", "169.16689662", "025177524776",
    "１６９.２５４.１６９.２５４", "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[fd00:ec2::254]",
    "[fd00:ec2:0:0:0:0:0:254]", "[fd20:ce::254]", "100.100.100.200", "168.63.129.16", "192.0.0.192",
    "metadata.google.internal", "metadata.google.internal.", "METADATA.GOOGLE.INTERNAL", "metadata.goog",
    "metadata", "metadata.tencentyun.com", "metadata.azure.internal", "metadata.platformequinix.com",
    "instance-data", "instance-data.ec2.internal", "ip-10-0-0-1.eu-west-1.compute.internal",
    # Local names.
    "localhost", "LOCALHOST", "LocalHost", "localhost.", "localhost..", "ｌｏｃａｌｈｏｓｔ", "ⓛocalhost",
    "loc%61lhost",
    "a.localhost", "localhost.localdomain", "localhost6", "ip6-localhost", "ip6-loopback", "printer.local",
    "nas.local.", "db.internal", "wiki.intranet", "router.lan", "nas.home", "fritz.home.arpa", "mail.corp",
    "git.private", "intranet", "docduck", "postgres", "host-only", "1.0.0.127.in-addr.arpa", "x.onion",
    # No names at all.
    "-a.example.org", "a-.example.org", "a..example.org", ".example.org", "exa mple.org", "a" * 64 + ".org",
    ("a" * 60 + ".") * 5 + "org", "exa*mple.org", "ex'ample.org", "ex\"ample.org", "ex<ample.org", "a,b.org",
    "exa_mple.org:x", "xn--\u00e4.org", "a\u00ad\u200b.org", "example.org\u2025", "ex\u2100mple.org",
]  # fmt: skip
"""Hosts, each to be asked for as http://…:{port}/."""

URLS = [
    # Whose host is which?
    "http://user@127.0.0.1:{port}/", "http://user:password@files.example.org:{port}/",
    "http://files.example.org@127.0.0.1:{port}/", "http://files.example.org:80@127.0.0.1:{port}/",
    "http://files.example.org%40127.0.0.1:{port}/", "http://@127.0.0.1:{port}/", "http://:@127.0.0.1:{port}/",
    "http://a@b@127.0.0.1:{port}/",
    "http://127.0.0.1:{port}#@files.example.org/", "http://127.0.0.1:{port}?@files.example.org/",
    "http://127.0.0.1:{port}\\@files.example.org/", "http://files.example.org\\@127.0.0.1:{port}/",
    "http://files.example.org\\.127.0.0.1:{port}/", "http:\\\\127.0.0.1:{port}\\",
    "http:/\\127.0.0.1:{port}/",
    "http://\\127.0.0.1:{port}/", "\\\\127.0.0.1:{port}\\x", "http://files.example.org\\/127.0.0.1:{port}/",
    "http://127.0.0.1\t:{port}/", "http://127.0.0.1:{port}\r\n/", "http://127.0.0.1:{port}/\r\nX: 1",
    "http://127.0.0.1:{port}/\n", "\nhttp://127.0.0.1:{port}/", " http://127.0.0.1:{port}/",
    "http://127.0.0.1:{port}/ ", "ht\ntp://127.0.0.1:{port}/", "http://127.0.0.1:{port}/\x00",
    "http://\x00127.0.0.1:{port}/", "http://127.0.0.1\x00.example.org:{port}/", "http:// 127.0.0.1:{port}/",
    "http://127.0.0.1\u00a0:{port}/", "http://127.0.0.1\u3000:{port}/", "http://127.0.0.1:{port}/\u2028",
    "http://127.0.0.1:{port}/\ud800", "http://127.0.0.1:{port}/\u200b", "\ufeffhttp://127.0.0.1:{port}/",
    # Schemes.
    "file:///etc/passwd", "file://127.0.0.1:{port}/etc/passwd", "ftp://127.0.0.1:{port}/x",
    "gopher://127.0.0.1:{port}/_GET", "dict://127.0.0.1:{port}/d", "ldap://127.0.0.1:{port}/x",
    "tftp://127.0.0.1:{port}/x", "sftp://127.0.0.1:{port}/x", "ws://127.0.0.1:{port}/x",
    "jar:http://127.0.0.1:{port}/!/", "url:http://127.0.0.1:{port}/", "view-source:http://127.0.0.1:{port}/",
    "data:text/plain,hello", "javascript:alert(1)", "unix:///run/docker.sock", "http+unix://%2Frun%2Fx/",
    "netdoc://127.0.0.1:{port}/x", "about:blank", "mailto:a@127.0.0.1", "httpx://127.0.0.1:{port}/",
    "http", "http:", "http:/", "http://", "http:///", "http:///127.0.0.1:{port}/", "http:127.0.0.1:{port}/",
    "http:/127.0.0.1:{port}/", "//127.0.0.1:{port}/", "/127.0.0.1:{port}/", "127.0.0.1:{port}/",
    "127.0.0.1:{port}", "localhost:{port}/x", "://127.0.0.1:{port}/", "http//127.0.0.1:{port}/",
    "http;//127.0.0.1:{port}/", "ｈｔｔｐ://127.0.0.1:{port}/", "http：//127.0.0.1:{port}/",
    "http:／／127.0.0.1:{port}/",
    "http://?@127.0.0.1:{port}/", "http://#127.0.0.1:{port}/", "", " ", "?", "#",
    "HTTP://127.0.0.1:{port}/", "hTTps://127.0.0.1:{port}/", "https://localhost:{port}/",
    "https://[::1]:{port}/", "https://2130706433:{port}/", "http://127.0.0.1:{port}",
    "http://127.0.0.1:{port}?x", "http://127.0.0.1:{port}#x", "http://127.0.0.1:{port}//example.org/",
    # Ports.
    "http://files.example.org:22/", "http://files.example.org:25/", "http://files.example.org:0/",
    "http://files.example.org:6379/", "http://files.example.org:11211/", "http://files.example.org:2375/",
    "http://files.example.org:65536/", "http://files.example.org:99999/", "http://files.example.org:-1/",
    "http://files.example.org:+80/", "http://files.example.org:80:80/", "http://files.example.org:/",
    "http://files.example.org:8o/", "http://files.example.org:0x50/", "http://files.example.org:８０/",
    "http://files.example.org:000080/", "http://files.example.org:%38%30/",
    "http://files.example.org:{port} /",
    "http://127.0.0.1:{port}:80/", "http://[::1]{port}/",
    # Length.
    "http://files.example.org:{port}/" + "a" * 4096,
]  # fmt: skip
"""Whole URLs."""

RESOLVED = [
    ["127.0.0.1"], ["::1"], ["10.0.0.7"], ["172.20.0.3"], ["192.168.1.1"], ["169.254.169.254"],
    ["100.100.100.200"], ["168.63.129.16"], ["0.0.0.0"], ["::"], ["::ffff:127.0.0.1"], ["::127.0.0.1"],
    ["64:ff9b::7f00:1"], ["2002:7f00:1::1"], ["2001:0:7f00:1::1"], ["fe80::1"], ["fe80::1%eth0"], ["fd00::1"],
    ["fec0::1"], ["ff02::1"], ["255.255.255.255"], ["198.18.0.1"], ["2001:db8::1"], ["fd00:ec2::254"],
    ["93.184.215.14", "127.0.0.1"], ["127.0.0.1", "93.184.215.14"], ["2606:4700::1111", "::1"],
    ["93.184.215.14", "2606:4700::1111", "fe80::1"], ["93.184.215.14"] * 20 + ["10.0.0.1"],
]  # fmt: skip
"""What names resolve to, of which nothing must be connected to."""

LOCATIONS = [
    "http://127.0.0.1:{port}/", "http://[::1]:{port}/", "//127.0.0.1:{port}/", "//[::1]:{port}/x",
    "http://localhost:{port}/", "http://LOCALHOST.:{port}/", "https://127.0.0.1:{port}/",
    "https://localhost:{port}/", "http://127.1:{port}/", "http://2130706433:{port}/", "http://0x7f.1:{port}/",
    "http://017700000001:{port}/", "http://0:{port}/", "http://0.0.0.0:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/", "http://[::127.0.0.1]:{port}/", "http://[64:ff9b::7f00:1]:{port}/",
    "http://①②⑦.⓪.⓪.①:{port}/", "http://127。0。0。1:{port}/", "http://loc%61lhost:{port}/",
    "http://user@127.0.0.1:{port}/", "http://127.0.0.2@127.0.0.1:{port}/",
    "http://127.0.0.2:{port}@127.0.0.1:{port}/", "http://user:password@127.0.0.2:{port}/file",
    "/\\127.0.0.1:{port}/", "\\\\127.0.0.1:{port}/", "http:\\\\127.0.0.1:{port}/", "/\t/127.0.0.1:{port}/",
    "http://127.0.0.2\\@127.0.0.1:{port}/", "http:///127.0.0.1:{port}/", "http:/127.0.0.1:{port}/",
    "http:127.0.0.1:{port}/", "HTTP://127.0.0.1:{port}/", "http://rebound.example.org:{port}/",
    "//rebound.example.org:{port}/", "http://mixed.example.org:{port}/", "http://inner.example.org:{port}/",
    "http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/", "http://metadata.google.internal/",
    "http://metadata/computeMetadata/v1/", "http://100.100.100.200/", "http://168.63.129.16/", "http://10.0.0.1/",
    "http://192.168.0.1/", "file:///etc/passwd", "ftp://127.0.0.1:{port}/", "gopher://127.0.0.1:{port}/_",
    "javascript:alert(1)", "data:text/plain,x", "dict://127.0.0.1:{port}/", "http://127.0.0.2:22/",
    "http://127.0.0.2:6379/", "http://127.0.0.3:{port}/", "http://127.0.0.1 :{port}/",
    "http:// 127.0.0.1:{port}/",
    "///127.0.0.1:{port}/", "////127.0.0.1:{port}/", "http://", "//", "http://127.0.0.2:{port}/" + "a" * 4096,
]  # fmt: skip
"""Redirects from a server that is allowed (127.0.0.2), none of which may be followed to the canary."""
