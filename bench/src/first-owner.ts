const password = "correct horse battery"

/**
 * Makes the account of a team's first owner. `url`: the process that is asked; `origin`: the address of the team.
 * Returns the headers of their browser.
 */
export async function makeFirstOwner(url: string, origin: string, loginUrl: string): Promise<Record<string, string>> {
  const secret = new URL(loginUrl).hash.slice(1)
  const response = await fetch(`${url}/api/auth/first-owner`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ secret, name: "Ada", email: "ada@example.org", password }),
  })
  if (!response.ok) throw new Error(`the first owner is answered ${response.status}: ${await response.text()}`)
  return browserOf(response)
}

/** The headers of a browser that got this answer. */
export function browserOf({ headers }: Response): Record<string, string> {
  const cookies = headers.getSetCookie().map((each) => each.split(";")[0])
  return { cookie: cookies.join("; "), "sec-fetch-site": "same-origin" }
}
