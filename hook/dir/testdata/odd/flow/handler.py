def handle(e, c):
    pass
