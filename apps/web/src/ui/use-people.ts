"use client"

import { createContext, useContext } from "react"
import { type People, withoutAccounts } from "./people.ts"

export const PeopleContext = createContext<People>(withoutAccounts(null))

/** Who reads, and what others are called. */
export function usePeople(): People {
  return useContext(PeopleContext)
}
