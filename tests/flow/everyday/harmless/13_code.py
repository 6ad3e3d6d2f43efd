# author: Dan Rivers <drivers@example.com>
def bmi(weight, height):
    """Body mass index; obesity is >= 30."""
    return weight / height**2
