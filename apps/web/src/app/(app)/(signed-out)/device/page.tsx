import type { Metadata } from "next"
import { Device } from "./device.tsx"

export const metadata: Metadata = { title: "Sign in a command line" }

export default async function DevicePage({
  searchParams,
}: {
  searchParams: Promise<{ user_code?: string | string[] }>
}) {
  const { user_code: code } = await searchParams
  return <Device code={typeof code === "string" ? code.slice(0, 40) : ""} />
}
