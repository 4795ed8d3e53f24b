"""A session that must be confirmed."""


def once_unconfirmed():
    """Answers the first deletion as if the session had not been confirmed for long."""
    left = [1]

    def answer(route):
        if route.request.method == "DELETE" and left:
            left.pop()
            body = '{"code":"confirmation_required","detail":"Confirm."}'
            return route.fulfill(status=403, content_type="application/problem+json", body=body)
        return route.continue_()

    return answer
