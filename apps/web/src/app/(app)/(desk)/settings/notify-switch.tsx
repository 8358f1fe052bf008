"use client"

import { Switch } from "@mantine/core"
import { useEffect, useState } from "react"
import { chooseToNotify, notifies } from "../../../../features/notify/notify-choice.ts"
import styles from "./settings.module.css"

/** Switches this browser's notifications on or off. Only this switch asks the browser for permission. */
export function NotifySwitch() {
  const [on, setOn] = useState(false)
  const [refused, setRefused] = useState(false)
  useEffect(() => setOn(notifies()), [])
  const choose = async (turnOn: boolean) => {
    const isOn = await chooseToNotify(turnOn)
    setOn(isOn)
    setRefused(turnOn && !isOn)
  }
  return (
    <>
      <Switch
        className={styles.switch ?? ""}
        checked={on}
        onChange={(event) => void choose(event.currentTarget.checked)}
        label="Notifications"
        description="When a session needs you, has finished or has failed, while you look at something else. Kept in this browser."
      />
      {refused ? (
        <p role="status" className={styles.note}>
          The browser does not let this page notify you. Allow it in the browser’s settings of this site, then turn it
          on again.
        </p>
      ) : null}
    </>
  )
}
