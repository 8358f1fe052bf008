import { ViewerTab } from "../../ground/schema/index.ts"
import { notRecorded } from "./audit-rule.ts"
import { inSession, SessionInput } from "./input.ts"
import { mutation, query } from "./operation.ts"

/** Who reads what. */
export const presenceOperations = {
  /** Who reads the tree of a session now. Subscribers of the tree are told by `presence.updated`. */
  of: query({ input: SessionInput, run: ({ presence }, { sessionID }) => presence.of(sessionID) }),

  /** What a tab shows from now on; it is one that subscribed as a `viewer`. `present: false` when it follows no such tree. */
  at: mutation({
    capability: "read",
    audit: notRecorded("where somebody reads is told while they do, and not kept"),
    input: ViewerTab,
    target: ({ place }) => place && inSession(place),
    run: async ({ presence }, tab) => ({ present: await presence.at(tab) }),
  }),
}
