import type { Share } from "../schema/index.ts"

export interface ShareService {
  /** The secret is only ever returned here; the store keeps its hash. */
  create(rootID: string): Promise<{ share: Share; secret: string }>
  list(rootID: string): Promise<Share[]>
  revoke(id: string): Promise<Share>
  /** Null for an unknown or revoked secret, and when the session is gone. */
  resolve(secret: string): Promise<Share | null>
}
