"use client"

import { createContext, useContext } from "react"
import { type People, withoutAccounts } from "./people.ts"

export const PeopleContext = createContext<People>(withoutAccounts(null))

/** The current user, and the names of other users. */
export function usePeople(): People {
  return useContext(PeopleContext)
}
