const BYTE = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const LOOPBACK = new RegExp(`^(?:localhost|\\[::1\\]|127(?:\\.${BYTE}){3})(?::\\d{1,5})?$`, "i");

/** Whether a host of a URL or of a Host header names this machine: localhost, 127.0.0.0/8 or [::1], with or without a port. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host);
