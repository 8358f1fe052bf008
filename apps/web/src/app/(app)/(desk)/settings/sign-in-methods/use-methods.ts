"use client"

import { type UseQueryResult, useQuery } from "@tanstack/react-query"
import { ask, type Sent } from "../../../(signed-out)/send.ts"

/** The user's sign-in methods, as the server reports them. */
export interface SignInMethods {
  password: boolean
  twoFactor: boolean
  providers: LinkedProvider[]
}

export interface LinkedProvider {
  id: string
  name: string
  linked: boolean
  /** The link can be removed, because another sign-in method exists. */
  canGo: boolean
}

export interface Passkey {
  id: string
  name?: string | null
  createdAt?: string | null
}

export const methodsKey = ["account", "methods"] as const
export const passkeysKey = ["account", "passkeys"] as const

export function useMethods(): UseQueryResult<SignInMethods> {
  return useQuery({ queryKey: methodsKey, queryFn: ({ signal }) => dataOf(ask<SignInMethods>("methods", signal)) })
}

export function usePasskeys(): UseQueryResult<Passkey[]> {
  const route = "passkey/list-user-passkeys"
  return useQuery({ queryKey: passkeysKey, queryFn: ({ signal }) => dataOf(ask<Passkey[]>(route, signal)) })
}

async function dataOf<T>(sent: Promise<Sent<T>>): Promise<T> {
  const answer = await sent
  if (answer.ok) return answer.data
  throw new Error(answer.message)
}
