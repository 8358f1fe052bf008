import type { Ingress } from "../http/ingress.ts"

/**
 * Name of the cookie that a visitor gets for the password of a link. A browser takes one with the prefix over TLS alone; that
 * of logins (`__Host-`) would open it to all paths.
 */
export function passName({ isSecure }: Pick<Ingress, "isSecure">): string {
  return isSecure ? "__Secure-docket_share" : "docket_share"
}

/** Whether the path is that of a page which a link opens. */
export function isLinkPage(path: string): boolean {
  return path.startsWith("/share/") || path.startsWith("/embed/")
}

/** Everything that the pass of a link opens: a cookie goes to one path and what is below it. */
function placesOf(secret: string): string[] {
  return [`/share/${secret}`, `/embed/${secret}`, ...["", ".md", ".json"].map((form) => `/api/share/${secret}${form}`)]
}

/** The headers that give a browser the pass: for this link alone, out of reach of scripts and of other sites' frames. */
export function passCookies(
  ingress: Pick<Ingress, "isSecure">,
  secret: string,
  { pass, seconds }: { pass: string; seconds: number },
): string[] {
  const rest = `HttpOnly; SameSite=Lax; Max-Age=${seconds}${ingress.isSecure ? "; Secure" : ""}`
  return placesOf(secret).map((place) => `${passName(ingress)}=${pass}; Path=${place}; ${rest}`)
}
