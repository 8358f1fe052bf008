import { ViewerTab } from "../../ground/schema/index.ts"
import { notRecorded } from "./audit-rule.ts"
import { inSession, SessionInput } from "./input.ts"
import { mutation, query } from "./operation.ts"

/** Who reads which tree. */
export const presenceOperations = {
  /** Who reads the tree of a session now. Subscribers of the tree get changes as `presence.updated`. */
  of: query({ input: SessionInput, needs: "rows", run: ({ presence }, { sessionID }) => presence.of(sessionID) }),

  /**
   * Says what a tab shows from now on; the tab has subscribed as a `viewer`. `present` is false when it follows no
   * such tree.
   */
  at: mutation({
    capability: "read",
    audit: notRecorded("where somebody reads is told while they do, and not kept"),
    input: ViewerTab,
    target: ({ place }) => place && inSession(place),
    needs: "rows",
    run: async ({ presence }, tab) => ({ present: await presence.at(tab) }),
  }),
}
