import type { Project } from "@docket/core/schema"

const cookie = "docket-project"
const year = 31_536_000

/**
 * The default project for new work in this browser: the last one used here, or else the last one opened. The server,
 * which renders without `document`, takes the latter.
 */
export function lastProject(projects: Project[]): Project | undefined {
  return projectIn(typeof document === "undefined" ? "" : document.cookie, projects)
}

/** The default project according to a browser's cookies. */
export function projectIn(cookies: string, projects: Project[]): Project | undefined {
  const id = new RegExp(`(?:^|; ?)${cookie}=(\\w+)`).exec(cookies)?.[1]
  return projects.find((project) => project.id === id) ?? projects[0]
}

/** Stores the choice in a cookie of this browser, because other programs also open projects meanwhile. */
export function rememberProject(projectID: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari before 18.4
  document.cookie = `${cookie}=${projectID}; path=/; max-age=${year}; samesite=lax`
}
