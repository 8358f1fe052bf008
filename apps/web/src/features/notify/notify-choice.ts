const key = "docket-notify"

/** Whether this browser shows notifications: the user chose it, and the browser permits it. */
export function notifies(): boolean {
  return "Notification" in window && Notification.permission === "granted" && localStorage.getItem(key) === "on"
}

/** Stores the choice. Asks for the browser's permission if it was not asked before; false when that is denied. */
export async function chooseToNotify(on: boolean): Promise<boolean> {
  if (!on) {
    localStorage.setItem(key, "off")
    return false
  }
  if (!("Notification" in window) || (await Notification.requestPermission()) !== "granted") return false
  localStorage.setItem(key, "on")
  return true
}
