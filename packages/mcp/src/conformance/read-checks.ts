import { glob, readFile } from "node:fs/promises"
import path from "node:path"
import { z } from "zod"

const Checks = z.array(z.object({ id: z.string(), status: z.string(), description: z.string() }))

/** What the suite noted of a scenario in its directory: checks that passed, and those that did not, in words. */
export async function readChecks(directory: string): Promise<{ successes: number; failures: string[] }> {
  const found: z.infer<typeof Checks> = []
  for await (const file of glob("**/checks.json", { cwd: directory }))
    found.push(...Checks.parse(JSON.parse(await readFile(path.join(directory, file), "utf8"))))
  return {
    successes: found.filter(({ status }) => status === "SUCCESS").length,
    failures: found.flatMap(({ id, status, description }) =>
      status === "FAILURE" || status === "WARNING" ? [`${status} ${id}: ${description}`] : [],
    ),
  }
}
