import { expect, it } from "vitest"
import type { Vault } from "../ground/secret/vault.ts"
import { newId } from "./rows.ts"

/** Opens a vault twice: for two processes that share it, or for one. Other tests may leave secrets in it. */
export function vaultContract(openTwice: () => Promise<[Vault, Vault]>): void {
  const newName = () => `mcp ${newId("host")}`
  const put = (vault: Vault, name: string, value: unknown) => vault.change("sign-in", name, () => value)

  it("a secret is read back wherever the vault is open", async () => {
    const [mine, other] = await openTwice()
    const name = newName()
    const value = { access: "at-1", parts: ["schlüssel \u{1f511}", null, 1.5, { deep: true }] }
    expect(await mine.get("sign-in", name)).toBeNull()
    expect(await put(mine, name, value)).toBeNull()
    expect(await other.get("sign-in", name)).toEqual(value)
    expect(await put(other, name, "later")).toEqual(value)
    expect(await mine.get("sign-in", name)).toBe("later")
    expect(await put(mine, name, null)).toBe("later")
    expect(await other.get("sign-in", name)).toBeNull()
  })

  it("a list has what was just changed here", async () => {
    const [mine] = await openTwice()
    const [one, two] = [newName(), newName()]
    const own = async () => {
      const all = await mine.all("sign-in")
      return [all.get(one), all.get(two)]
    }
    await put(mine, one, 1)
    expect(await own()).toEqual([1, undefined])
    await put(mine, two, 2)
    expect(await own()).toEqual([1, 2])
    await put(mine, one, null)
    expect(await own()).toEqual([undefined, 2])
  })

  it("no change of several at once is lost", async () => {
    const vaults = await openTwice()
    const name = newName()
    const add = (vault: Vault) => vault.change("sign-in", name, (before) => Number(before) + 1)
    await put(vaults[0], name, 0)
    await Promise.all(Array.from({ length: 10 }, (_, at) => add(vaults[at % 2 === 0 ? 0 : 1])))
    expect(await vaults[0].get("sign-in", name)).toBe(10)
  })

  it("of many that take a secret at once, one gets it", async () => {
    const vaults = await openTwice()
    const name = newName()
    await put(vaults[0], name, "once")
    const taken = await Promise.all([...vaults, ...vaults].map((vault) => put(vault, name, null)))
    expect(taken.filter((value) => value !== null)).toEqual(["once"])
  })

  it("an edit that changes nothing writes nothing", async () => {
    const [mine] = await openTwice()
    const name = newName()
    await put(mine, name, "kept")
    expect(await mine.change("sign-in", name, (before) => before)).toBe("kept")
    expect(await mine.get("sign-in", name)).toBe("kept")
  })

  it("works with a secret one after the other, also after a failure", async () => {
    const vaults = await openTwice()
    const name = newName()
    await put(vaults[0], name, 0)
    let [atWork, most] = [0, 0]
    const work = (vault: Vault, fails: boolean) =>
      vault.alone("sign-in", name, async () => {
        atWork += 1
        most = Math.max(most, atWork)
        const before = Number(await vault.get("sign-in", name))
        await put(vault, name, before + 1)
        atWork -= 1
        if (fails) throw new Error("it failed")
      })
    const all = await Promise.allSettled([0, 1, 0, 1].map((at, index) => work(vaults[at === 0 ? 0 : 1], index === 1)))
    expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"])
    expect([most, await vaults[1].get("sign-in", name)]).toEqual([1, 4])
  })
}
