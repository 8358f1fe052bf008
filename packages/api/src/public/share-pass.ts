/** Name of the cookie that a visitor gets for the password of a link. */
export const passName = "docket_share"

/** Whether the path is that of a page which a link opens. */
export function isLinkPage(path: string): boolean {
  return path.startsWith("/share/") || path.startsWith("/embed/")
}

/** Everything that the pass of a link opens: a cookie goes to one path and what is below it. */
function placesOf(secret: string): string[] {
  return [`/share/${secret}`, `/embed/${secret}`, ...["", ".md", ".json"].map((form) => `/api/share/${secret}${form}`)]
}

/** The headers that give a browser the pass: for this link alone, out of reach of scripts and of other sites' frames. */
export function passCookies(secret: string, pass: string, maxAgeSeconds: number): string[] {
  const rest = `HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`
  return placesOf(secret).map((place) => `${passName}=${pass}; Path=${place}; ${rest}`)
}
