def register(ctx:
