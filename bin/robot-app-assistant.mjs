#!/usr/bin/env node
import "../dist/assistant/main.js";
