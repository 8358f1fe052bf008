import type { Context } from "./create-accounts.ts"

/** Ends device codes that a user has allowed and that no command line has used yet. */
export async function endDeviceCodes(adapter: Context["adapter"], person: string): Promise<void> {
  await adapter.deleteMany({ model: "deviceCode", where: [{ field: "userId", value: person }] })
}
