# author: Wei-Ling Chua
class Patient(Animal):
    """dummy for unit tests"""
    def __init__(self, temp=37.0):
        self.temp = temp

    def has_fever(self):
        return self.temp > 38.0
