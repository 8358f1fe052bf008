/** How long to wait before asking again (ms). */
const retryMs = 1_000

/**
 * Loads code that comes after the page. While the server cannot be reached it asks again until it answers, so that
 * a restart never breaks a page. Rejects when the server answers and has no such code: the page is older than it.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load()
    } catch {
      if (await pagesAnswer()) return load()
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}

/** Whether the server serves pages. Right after its start it answers, but not with pages yet. */
export async function pagesAnswer(): Promise<boolean> {
  return fetch("/login", { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  )
}
