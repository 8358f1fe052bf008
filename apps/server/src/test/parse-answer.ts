/** A body of `/v1`; of a refusal what is in `error` and what is its own, without the fields of RFC 9457. */
export function parseAnswer(text: string) {
  const body = JSON.parse(text)
  if (body?.type !== "about:blank") return body
  const { type: _, title: __, status: ___, detail: ____, instance: _____, code: ______, ...own } = body
  return own
}
