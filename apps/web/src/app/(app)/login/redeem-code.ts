export type RedeemResult = { ok: true } | { ok: false; reason: "used" | "unreachable" }

/** The one-time code in a login link's fragment, `#code=…` or the bare code. Null when there is none. */
export function readCode(fragment: string): string | null {
  const text = fragment.replace(/^#/, "")
  const code = text.includes("=") ? new URLSearchParams(text).get("code") : text
  return code && code.length > 0 ? code : null
}

/** The page after the login: a path of this site from `?next=`, or else the inbox. */
export function readNext(search: string, origin: string): string {
  const next = new URLSearchParams(search).get("next")
  if (!next) return "/"
  const url = URL.canParse(next, origin) ? new URL(next, origin) : null
  if (!url || url.origin !== origin || url.pathname.startsWith("/login")) return "/"
  return `${url.pathname}${url.search}${url.hash}`
}

/** Exchanges the code for the session cookie. A code works once. */
export async function redeemCode(code: string, signal: AbortSignal): Promise<RedeemResult> {
  try {
    const response = await fetch("/api/login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
      signal,
    })
    return response.ok ? { ok: true } : { ok: false, reason: response.status >= 500 ? "unreachable" : "used" }
  } catch {
    return { ok: false, reason: "unreachable" }
  }
}
