import type { StoreScope } from "./store-scope.ts"

/** Takes `count` numbers of one of the tenant's counters and answers with the first. */
export async function reserveNumbers(
  { tenantID, write }: StoreScope,
  name: "todo" | "memory" | "schedule",
  count: number,
): Promise<number> {
  const { value } = await write(({ counter }) =>
    counter.upsert({
      where: { tenantID_name: { tenantID, name } },
      create: { tenantID, name, value: count },
      update: { value: { increment: count } },
      select: { value: true },
    }),
  )
  return value - count + 1
}
