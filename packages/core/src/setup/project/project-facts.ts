import { join } from "node:path"
import { z } from "zod"
import { readBoundedFile } from "../../ground/file/read-bounded-file.ts"
import { type Environment, runGit } from "../../ground/git/run-git.ts"
import type { Project } from "../../ground/schema/index.ts"
import type { ProjectFiles } from "./project-files.ts"
import type { ProjectFacts } from "./suggest-prompts.ts"

/** Most files that are examined. */
const maxFiles = 2_000
/** Most bytes of a package.json. */
const maxBytes = 262_144
/** ms; suggestions are not worth a longer wait. */
const timeout = 3_000

const PackageJson = z.object({ scripts: z.record(z.string(), z.unknown()) })

/**
 * Reads the facts on which suggested prompts are based. Unreadable facts are left out. @throws
 * project_directory_missing
 */
export async function readProjectFacts(
  { files, env }: { files: ProjectFiles; env: Environment },
  { directory }: Pick<Project, "directory">,
): Promise<ProjectFacts> {
  const [found, scripts, commit] = await Promise.all([
    files.search(directory, "", maxFiles),
    readScripts(join(directory, "package.json")),
    runGit(["rev-parse", "--short", "HEAD"], { cwd: directory, env, timeout }).then(
      (out) => out.toString("utf8").trim() || null,
      () => null,
    ),
  ])
  return { files: found, scripts, commit }
}

async function readScripts(file: string): Promise<string[]> {
  try {
    const parsed = PackageJson.safeParse(JSON.parse((await readBoundedFile(file, maxBytes)).toString("utf8")))
    return Object.keys(parsed.data?.scripts ?? {})
  } catch {
    return []
  }
}
