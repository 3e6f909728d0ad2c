"""Keys, passwords, card and identity numbers."""

import time

import pytest

from ltm.packs import fold_text
from ltm.write.secrets import REDACTED, find_secrets, holds_secret, redact


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("key: sk-test-9f3Ab77Qe1Xz02Lm8Kd5Vt4R ok", f"key: {REDACTED} ok"),
        ("我身份证号是11010519491231002X，帮我填", f"我身份证号是{REDACTED}，帮我填"),
        ("１１０１０５１９４９１２３１００２Ｘ", REDACTED),
        ("密码是hunter2 哦", f"密码是{REDACTED} 哦"),
        ("my password is hunter2", f"my password is {REDACTED}"),
        ("password: abcdef", f"password: {REDACTED}"),
        ("4111 1111 1111 1111", REDACTED),
        ("AKIAIOSFODNN7EXAMPLE!", f"{REDACTED}!"),
        ("ghp_abcdefghijklmnopqrstuvwxyz012345", REDACTED),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc", REDACTED),
        ("postgres://bob:hunter2@db/x", f"postgres://{REDACTED}@db/x"),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", REDACTED),
        ("SSN 123-45-6789", f"SSN {REDACTED}"),
        ("护照E12345678", f"护照{REDACTED}"),
        ("cvv 123", f"cvv {REDACTED}"),
        ("My PIN is 4921", f"My PIN is {REDACTED}"),
        ("验证码 839201", f"验证码 {REDACTED}"),
        ("密码改成了Abc@123", f"密码改成了{REDACTED}"),
        ("我的密码就是Abc123", f"我的密码就是{REDACTED}"),
        ("password is now hunter2", f"password is now {REDACTED}"),
        ("my passcode's 482910", f"my passcode's {REDACTED}"),
        ("password:\nhunter2", f"password:\n{REDACTED}"),
        ('password: "my secret phrase" ok', f'password: "{REDACTED}" ok'),
        ("token: 9f86d081884c7d659a2feaa0c55ad015", f"token: {REDACTED}"),
        ("Bearer abcdefghijklmnop1234567890", f"Bearer {REDACTED}"),
        ("npm_abcdefghijklmnopqrstuvwxyz0123456789", REDACTED),
    ],
)
def test_a_secret_is_replaced_and_nothing_else(text: str, redacted: str) -> None:
    """Each kind of secret is found where it stands."""
    assert redact(text) == redacted
    assert holds_secret(fold_text(text))


@pytest.mark.parametrize(
    "text",
    [
        "密码是什么",
        "my password is wrong",
        "电话13800138000",
        "me@example.com",
        "期望薪资15000-20000，20260101",
        "token budget is 300",
        "110105194912310021",
        "4111 1111 1111 1112",
        "order 43394537-0456-4405-a7a5-c8101b2898f7",
        "order 1234567890123",
        "身份证在2019年办的",
        "信用卡账单3000元",
        "社保基数 12000-15000",
        "passport expires 2031-05-06",
        "my passport's new",
        "the password is now longer",
        "the password was 'too short' again",
        "pin 100% of them",
        "a bearer of bad news",
        "",
    ],
)
def test_what_only_looks_like_one_stays(text: str) -> None:
    """Contact details, dates, salaries and numbers with a wrong check digit are no secrets."""
    assert find_secrets(text) == ()
    assert not holds_secret(fold_text(text))


HOSTILE = [
    "1 ",
    "sk-",
    "eyJ",
    "-----BEGIN ",
    "密码是",
    "a:b@",
    "://a:",
    "4",
    "token ",
    "pin ",
    "password: '",
    "bearer a-",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_is_searched_in_time(piece: str) -> None:
    """100,000 characters made to mislead the patterns take no more than two seconds on a busy machine."""
    started = time.process_time()
    find_secrets(piece * (100_000 // len(piece)))
    assert time.process_time() - started < 2.0
