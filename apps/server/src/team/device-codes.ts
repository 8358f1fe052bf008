import type { Context } from "./create-accounts.ts"

/** Ends the codes by which a person has let command lines in, and which nobody has taken a sign-in for yet. */
export async function endDeviceCodes(adapter: Context["adapter"], person: string): Promise<void> {
  await adapter.deleteMany({ model: "deviceCode", where: [{ field: "userId", value: person }] })
}
