import Crypto
import GRDB
print("x")
