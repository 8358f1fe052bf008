import { type PermissionRequest, SessionID } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

/** Requests that wait for an answer, oldest first, of one tree or of all. */
export const listPermissions = procedure
  .input(z.object({ rootID: SessionID.optional() }))
  .query(({ ctx, input }): Promise<PermissionRequest[]> => ctx.runtime.permission.pending(input.rootID))
