// SPDX-License-Identifier: Apache-2.0
// The default theme with the system's own fonts: nothing is fetched, and Chinese looks as elsewhere.
import theme from 'vitepress/theme-without-fonts'
import './style.css'

export default theme
