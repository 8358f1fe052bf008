import type { TrustedDirectory } from "@docket/core"
import { procedure } from "../trpc.ts"

/** Every directory whose configuration the user trusts, newest first. */
export const listTrustedDirectories = procedure.query(
  ({ ctx }): Promise<TrustedDirectory[]> => ctx.runtime.config.trusted(),
)
