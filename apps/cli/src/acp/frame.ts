import type { SessionUpdate } from "@agentclientprotocol/sdk/unstable"

/** An update for one session of the editor. */
export interface Frame {
  sessionId: string
  update: SessionUpdate
}
