/**
 * These are the parts of Expo's and React Native's modules that the code of docs/mobile.md uses; their packages are 400
 * MB.
 */
declare const __DEV__: boolean

declare module 'react-native' {
  export const Platform: {
    OS: 'ios' | 'android' | 'web'
    select<T>(values: { ios?: T; android?: T; default: T }): T
  }
}

declare module 'react' {
  export function useEffect(effect: () => (() => void) | void, dependencies?: readonly unknown[]): void
}

declare module 'expo/fetch' {
  type FetchRequestInit = {
    body?: BodyInit | null
    credentials?: RequestCredentials
    headers?: HeadersInit
    method?: string
    signal?: AbortSignal | null
  }
  export function fetch(input: string | URL, init?: FetchRequestInit): Promise<Response>
}

declare module 'expo-constants' {
  const Constants: { expoConfig: { extra?: { eas?: { projectId?: string } } } | null }
  export default Constants
}

declare module 'expo-application' {
  export function getIosPushNotificationServiceEnvironmentAsync(): Promise<'development' | 'production' | null>
}

declare module 'expo-device' {
  export const isDevice: boolean
}

declare module 'expo-linking' {
  export function openURL(url: string): Promise<true>
}

declare module 'expo-notifications' {
  export type DevicePushToken = { type: 'ios' | 'android'; data: string }
  type Subscription = { remove(): void }
  type NotificationRequest = { identifier: string; content: { data: Record<string, unknown> } }
  type NotificationResponse = { actionIdentifier: string; notification: { request: NotificationRequest } }
  type Behavior = {
    shouldShowBanner: boolean
    shouldShowList: boolean
    shouldPlaySound: boolean
    shouldSetBadge: boolean
  }
  export const DEFAULT_ACTION_IDENTIFIER: string
  export enum AndroidImportance {
    DEFAULT = 5,
  }
  export function requestPermissionsAsync(): Promise<{ granted: boolean }>
  export function setNotificationChannelAsync(
    id: string,
    channel: { name: string | null; importance: AndroidImportance },
  ): Promise<unknown>
  export function getExpoPushTokenAsync(options?: {
    projectId?: string
    devicePushToken?: DevicePushToken
  }): Promise<{ type: 'expo'; data: string }>
  export function getDevicePushTokenAsync(): Promise<DevicePushToken>
  export function addPushTokenListener(listener: (token: DevicePushToken) => void): Subscription
  export function addNotificationReceivedListener(
    listener: (notification: { request: NotificationRequest }) => void,
  ): Subscription
  export function setNotificationHandler(handler: { handleNotification: () => Promise<Behavior> }): void
  export function useLastNotificationResponse(): NotificationResponse | null | undefined
  export function clearLastNotificationResponse(): void
  export function setBadgeCountAsync(count: number): Promise<boolean>
  export function dismissAllNotificationsAsync(): Promise<void>
}
