# injector_service.py
# written by Saoirse, reviewed by Anand
import time

class Operation:
    def __init__(self, name, critical=False):
        self.name = name
        self.critical = critical

    def run(self, patient_retry=3):
        for i in range(patient_retry):
            try:
                return self._do()
            except TimeoutError:
                time.sleep(2 ** i)
        raise RuntimeError(f"{self.name} died")
