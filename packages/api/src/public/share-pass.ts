import type { Ingress } from "../http/ingress.ts"

/**
 * The name of the cookie that a visitor gets for the password of a link. Browsers accept one with this prefix only over
 * TLS. The prefix of logins (`__Host-`) would send it to all paths.
 */
export function passName({ isSecure }: Pick<Ingress, "isSecure">): string {
  return isSecure ? "__Secure-docket_share" : "docket_share"
}

/** Whether the path is that of a link's page. */
export function isLinkPage(path: string): boolean {
  return path.startsWith("/share/") || path.startsWith("/embed/")
}

/** All paths that the pass of a link opens: a cookie is for one path and those below it. */
function placesOf(secret: string): string[] {
  return [`/share/${secret}`, `/embed/${secret}`, ...["", ".md", ".json"].map((form) => `/api/share/${secret}${form}`)]
}

/** The headers that give a browser the pass: only for this link, and not for scripts or frames on other sites. */
export function passCookies(
  ingress: Pick<Ingress, "isSecure">,
  secret: string,
  { pass, seconds }: { pass: string; seconds: number },
): string[] {
  const rest = `HttpOnly; SameSite=Lax; Max-Age=${seconds}${ingress.isSecure ? "; Secure" : ""}`
  return placesOf(secret).map((place) => `${passName(ingress)}=${pass}; Path=${place}; ${rest}`)
}
