import { type Part, PartID } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

/** One part as it is stored now: for a reader whose copy does not fit a text delta. */
export const sessionPart = procedure
  .input(z.object({ partID: PartID }))
  .query(({ ctx, input }): Promise<Part> => ctx.runtime.session.part(input.partID))
