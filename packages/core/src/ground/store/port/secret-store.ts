/** Where a secret stands. */
export interface SecretPlace {
  /** Empty for a secret of the service itself. */
  tenantID: string
  kind: string
  name: string
}

/** A secret as the database has it: encrypted, so that the store knows nothing of it. */
export interface SecretRow extends SecretPlace {
  sealed: string
  /** When it was stored (epoch ms by the database's clock). */
  updated: number
}

/** A change of one secret that counts only while it is still what it was. */
export interface SecretSwap {
  place: SecretPlace
  /** What is sealed there now; null for nothing. */
  before: string | null
  /** What is there afterwards; null for nothing. */
  after: string | null
}

/** Secrets of all tenants and of the service. Each goes with its tenant. */
export interface SecretStore {
  get(place: SecretPlace): Promise<SecretRow | null>
  /** Those of a tenant and kind, or all of them, by tenant, kind and name. */
  list(of?: Pick<SecretPlace, "tenantID" | "kind">): Promise<SecretRow[]>
  /** All of the changes or, when one of them does not fit any more, none: then the answer is false. */
  swap(swaps: readonly SecretSwap[]): Promise<boolean>
  /**
   * Lets one holder work alone with a secret for so long (ms); a holder that asks again gets longer. False while another
   * has it. Where there is no secret, everybody may.
   */
  lease(place: SecretPlace, holder: string, ms: number): Promise<boolean>
  release(place: SecretPlace, holder: string): Promise<void>
}
