"""One trouble rings once: what it explains is held back, and everything else is not."""

import pytest

from tests.support.monitoring import ALERTMANAGER, Monitoring

pytestmark = pytest.mark.skipif(not ALERTMANAGER, reason="alertmanager is not installed")


def told(name, severity="warning", instance="fs1:9464", **labels):
    return {"alertname": name, "severity": severity, "instance": instance, "job": "dlp"} | labels


@pytest.fixture(scope="module")
def monitoring(tmp_path_factory):
    with Monitoring(tmp_path_factory.mktemp("alertmanager"), target=None) as one:
        one.post(
            told("DlpDown", "critical", instance="gone:9464"),
            told("DlpShareUnavailable", "critical", share="ward"),
            told("DlpActingStopped", "critical"),
        )
        for name in ("DlpDown", "DlpShareUnavailable", "DlpActingStopped"):
            one.until(lambda name=name: one.webhook.alerts(name, "on-call"))
        one.post(
            told("DlpBacklogOld", instance="gone:9464"),
            told("DlpShareUnavailable", "critical", instance="gone:9464", share="ward"),
            told("DlpBacklogOld"),
            told("DlpShareNotSwept", share="ward"),
            told("DlpShareNotSwept", share="lab"),
            told("DlpActionsFail", share="lab"),
            told("DlpCriticalExposure", "critical", share="lab"),
            {"alertname": "DlpDeadMansSwitch", "severity": "none"},
        )
        one.until(lambda: one.webhook.alerts("DlpDeadMansSwitch", "heartbeat"))
        yield one


def test_what_another_alert_explains_is_held_back(monitoring):
    # Alertmanager says who holds back whom once it has tried to send.
    expected = {
        ("DlpBacklogOld", "gone:9464", None),
        ("DlpShareUnavailable", "gone:9464", "ward"),
        ("DlpShareNotSwept", "fs1:9464", "ward"),
        ("DlpActionsFail", "fs1:9464", "lab"),
    }

    def held():
        return {
            (a["labels"]["alertname"], a["labels"].get("instance"), a["labels"].get("share"))
            for a in monitoring.alerts()
            if a["status"]["inhibitedBy"]
        }

    monitoring.until(lambda: held() == expected, 30)


def test_the_person_on_call_hears_of_causes_only(monitoring):
    monitoring.until(lambda: monitoring.webhook.alerts("DlpCriticalExposure", "on-call"))
    gone = monitoring.webhook.alerts("DlpShareUnavailable", "on-call", instance="gone:9464")
    assert not gone
    assert monitoring.webhook.alerts("DlpShareUnavailable", "on-call", instance="fs1:9464")
