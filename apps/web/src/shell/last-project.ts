import type { Project } from "@docket/core/schema"

const cookie = "docket-project"
const year = 31_536_000

/**
 * The project that new work of this browser is for: the one used last here, else the one that was opened last, as on the
 * server, where a page is rendered without a browser.
 */
export function lastProject(projects: Project[]): Project | undefined {
  return projectIn(typeof document === "undefined" ? "" : document.cookie, projects)
}

/** The same for a browser by the cookies that it sent. */
export function projectIn(cookies: string, projects: Project[]): Project | undefined {
  const id = new RegExp(`(?:^|; ?)${cookie}=(\\w+)`).exec(cookies)?.[1]
  return projects.find((project) => project.id === id) ?? projects[0]
}

/** Keeps the choice in a cookie of this browser: what programs open meanwhile is not what the person works on. */
export function rememberProject(projectID: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari before 18.4
  document.cookie = `${cookie}=${projectID}; path=/; max-age=${year}; samesite=lax`
}
