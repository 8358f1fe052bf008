import { SessionID } from "@docket/core/schema"
import { z } from "zod"

export const SessionInput = z.object({ sessionID: SessionID })
