import { homedir } from "node:os"
import type { Runtime } from "@docket/core"
import { z } from "zod"
import { procedure } from "../trpc.ts"

type Directories = Awaited<ReturnType<Runtime["project"]["directories"]>>

/** Sub-directories of an absolute path, by default of the home directory: for the project picker. */
export const projectDirectories = procedure
  .input(z.object({ path: z.string().max(4_096).optional() }))
  .query(({ ctx, input }): Promise<Directories> => ctx.runtime.project.directories(input.path ?? homedir()))
