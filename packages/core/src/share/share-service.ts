import type { ShareInfo } from "../schema/index.ts"

export interface ShareService {
  /** The secret is only ever returned here; the store keeps its hash. */
  create(rootID: string): Promise<{ share: ShareInfo; secret: string }>
  list(rootID: string): Promise<ShareInfo[]>
  revoke(id: string): Promise<ShareInfo>
  /** Null for an unknown or revoked secret, and when the session is gone. */
  resolve(secret: string): Promise<ShareInfo | null>
  /** Resolves with true when the link is dead: at once where this process ends it. False when the signal aborts first. */
  ended(secret: string, signal: AbortSignal): Promise<boolean>
}
