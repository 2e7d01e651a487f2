/** The font files pictures are drawn with: shipped as a package, never the machine's own, so that a picture is the same everywhere. */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export const fontFamily = 'Inter'

export const fontFiles = {
  regular: require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  semibold: require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
} as const
